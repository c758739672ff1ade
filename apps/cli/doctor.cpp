#include <CLI/App.hpp>

#include "command.hpp"
#include "diagnosis_view.hpp"
#include "option_flags.hpp"
#include "output.hpp"
#include "settings.hpp"

namespace codecarbon::cli {
namespace {

class Doctor final : public Command {
 public:
  std::string_view name() const override { return "doctor"; }
  std::string_view summary() const override {
    return "What can be measured here, what not, and what to do about it";
  }
  void declare(CLI::App& app) override {
    app.footer("Exit code 0 when figures for processors and memory can be had, 1 when not.");
    app.add_flag("--json", as_json_, "One JSON object");
    flags_.declare(app);
  }
  Result<int> run(const Words&) override {
    const auto options = flags_.read();
    if (!options) return tl::unexpected(options.error());
    const auto diagnosis = diagnose(*options, kCommandLine, kWatch);
    if (!diagnosis) return tl::unexpected(diagnosis.error());
    const int printed = print(as_json_ ? diagnosis_json(*diagnosis) : text_of(*diagnosis));
    return is_usable(*diagnosis) ? printed : kExitTrouble;
  }

 private:
  static std::string text_of(const Diagnosis& diagnosis) {
    return machine_text(diagnosis) + "\n" + back_ends_text(diagnosis) + "\n" +
           sensors_text(diagnosis) + "\n" + verdict_text(diagnosis);
  }

  OptionFlags flags_;
  bool as_json_ = false;
};

}  // namespace

std::unique_ptr<Command> make_doctor() {
  return std::make_unique<Doctor>();
}

}  // namespace codecarbon::cli
