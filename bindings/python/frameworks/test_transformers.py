"""transformers' own callback, chosen by report_to: the user installs the package and does nothing."""

from __future__ import annotations

import importlib
import threading
import time

import pytest

torch = importlib.import_module("torch")
transformers = importlib.import_module("transformers")


class Texts(torch.utils.data.Dataset):
    def __len__(self):
        return 16

    def __getitem__(self, index):
        tokens = torch.full((8,), index % 7)
        return {"input_ids": tokens, "labels": tokens}


def tiny_trainer(folder, **options):
    shape = transformers.GPT2Config(vocab_size=16, n_positions=8, n_embd=8, n_layer=1, n_head=1)
    arguments = transformers.TrainingArguments(
        output_dir=str(folder), report_to="codecarbon", num_train_epochs=2, use_cpu=True,
        save_strategy="no", disable_tqdm=True, **options,
    )
    return transformers.Trainer(
        model=transformers.GPT2LMHeadModel(shape), args=arguments, train_dataset=Texts()
    )


def test_it_is_found():
    from transformers.integrations import get_available_reporting_integrations

    assert "codecarbon" in get_available_reporting_integrations()


def test_training_leaves_one_row(work, rows):
    trainer = tiny_trainer(work / "out")
    threads = threading.active_count()
    begin = time.perf_counter()
    trainer.train()
    elapsed = time.perf_counter() - begin
    assert threading.active_count() == threads
    (row,) = rows(work / "out" / "emissions.csv")
    assert 0 < float(row["duration"]) <= elapsed


def test_training_twice_goes_on_with_the_same_run(work, rows):
    trainer = tiny_trainer(work / "out")
    trainer.train()
    trainer.train()
    first, second = rows(work / "out" / "emissions.csv")
    assert first["run_id"] == second["run_id"]
    assert float(second["duration"]) > float(first["duration"])


def test_loader_workers_write_nothing_of_their_own(work, rows):
    tiny_trainer(work / "out", dataloader_num_workers=2).train()
    assert len(rows(work / "out" / "emissions.csv")) == 1


def test_the_logs_are_quiet_at_error(work, monkeypatch, capfd):
    monkeypatch.setenv("CODECARBON_LOG_LEVEL", "error")
    tiny_trainer(work / "out", logging_strategy="no").train()
    shown = capfd.readouterr()
    assert "codecarbon" not in shown.out + shown.err
