#include "completion.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace codecarbon::cli {
namespace {

// For use between single quotes of any of the three shells.
std::string quotable(std::string text) {
  std::erase_if(text, [](char c) { return c == '\'' || c == '\\' || c == '\n'; });
  return text;
}

std::string names_of(const std::vector<CommandHint>& commands) {
  std::vector<std::string> names;
  for (const CommandHint& command : commands) names.push_back(command.name);
  return fmt::format("{}", fmt::join(names, " "));
}

std::string bash_value(const FlagHint& flag) {
  switch (flag.value) {
    case FlagHint::Value::none:
      return {};
    case FlagHint::Value::anything:
      return "return";
    case FlagHint::Value::file:
      return "COMPREPLY=($(compgen -f -- \"$cur\")); return";
    case FlagHint::Value::folder:
      return "COMPREPLY=($(compgen -d -- \"$cur\")); return";
    case FlagHint::Value::words:
      break;
  }
  return fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\")); return",
                     fmt::join(flag.words, " "));
}

std::string bash_command(const CommandHint& command) {
  std::string values;
  std::string flags;
  for (const FlagHint& flag : command.flags) {
    flags += (flags.empty() ? "" : " ") + flag.name;
    const std::string action = bash_value(flag);
    if (!action.empty()) values += fmt::format("        {}) {} ;;\n", flag.name, action);
  }
  const std::string rest = command.takes_program
                               ? "COMPREPLY=($(compgen -c -- \"$cur\"))"
                               : fmt::format("COMPREPLY=($(compgen -W '{}' -- \"$cur\"))",
                                             fmt::join(command.words, " "));
  return fmt::format(
      "    {})\n      case \"$prev\" in\n{}        *) ;;\n      esac\n"
      "      if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W '{}' -- \"$cur\"))\n"
      "      else {}; fi ;;\n",
      command.name, values, flags, rest);
}

std::string bash_script(const std::vector<CommandHint>& commands) {
  std::string cases;
  for (const CommandHint& command : commands) cases += bash_command(command);
  return fmt::format(
      "# bash completion for codecarbon: source it, or: eval \"$(codecarbon completion bash)\"\n"
      "_codecarbon() {{\n"
      "  local cur=${{COMP_WORDS[COMP_CWORD]}} prev=${{COMP_WORDS[COMP_CWORD-1]}} i\n"
      "  COMPREPLY=()\n"
      "  if ((COMP_CWORD == 1)); then\n"
      "    COMPREPLY=($(compgen -W '{} --help --version' -- \"$cur\")); return\n"
      "  fi\n"
      "  for ((i = 2; i < COMP_CWORD; i++)); do\n"
      "    if [[ ${{COMP_WORDS[i]}} == -- ]]; then\n"
      "      if ((COMP_CWORD == i + 1)); then COMPREPLY=($(compgen -c -- \"$cur\"))\n"
      "      else COMPREPLY=($(compgen -f -- \"$cur\")); fi\n"
      "      return\n"
      "    fi\n"
      "  done\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}    *) ;;\n  esac\n"
      "}}\n"
      "complete -F _codecarbon codecarbon\n",
      names_of(commands), cases);
}

// Brackets and colons end a description in _arguments.
std::string zsh_text(const std::string& text) {
  std::string out = quotable(text);
  std::replace(out.begin(), out.end(), '[', '(');
  std::replace(out.begin(), out.end(), ']', ')');
  std::replace(out.begin(), out.end(), ':', ',');
  return out;
}

std::string zsh_value(const FlagHint& flag) {
  switch (flag.value) {
    case FlagHint::Value::none:
      return {};
    case FlagHint::Value::anything:
      return ":value: ";
    case FlagHint::Value::file:
      return ":file:_files";
    case FlagHint::Value::folder:
      return ":folder:_files -/";
    case FlagHint::Value::words:
      break;
  }
  return fmt::format(":value:({})", fmt::join(flag.words, " "));
}

std::string zsh_command(const CommandHint& command) {
  std::string lines = fmt::format("    {})\n      _arguments -S", command.name);
  for (const FlagHint& flag : command.flags) {
    lines +=
        fmt::format(" \\\n        '{}[{}]{}'", flag.name, zsh_text(flag.help), zsh_value(flag));
  }
  if (command.takes_program) lines += " \\\n        '*::program:_normal'";
  if (!command.words.empty()) {
    lines += fmt::format(" \\\n        '1:word:({})'", fmt::join(command.words, " "));
  }
  return lines + " ;;\n";
}

std::string zsh_script(const std::vector<CommandHint>& commands) {
  std::string names;
  std::string cases;
  for (const CommandHint& command : commands) {
    names += fmt::format("    '{}:{}'\n", command.name, zsh_text(command.help));
    cases += zsh_command(command);
  }
  return fmt::format(
      "#compdef codecarbon\n"
      "# zsh completion for codecarbon: a file named _codecarbon on the fpath\n"
      "_codecarbon() {{\n"
      "  local -a commands=(\n{}  )\n"
      "  if ((CURRENT == 2)); then _describe command commands; return; fi\n"
      "  local command=${{words[2]}}\n"
      "  shift words; ((CURRENT--))\n"
      "  case $command in\n{}  esac\n"
      "}}\n"
      // From the fpath the whole file is the function's body, run at the first completion; sourced,
      // it only makes itself known.
      "if [[ $funcstack[1] = _codecarbon ]]; then _codecarbon \"$@\"\n"
      "else compdef _codecarbon codecarbon; fi\n",
      names, cases);
}

std::string fish_value(const FlagHint& flag) {
  switch (flag.value) {
    case FlagHint::Value::none:
      return {};
    case FlagHint::Value::anything:
      return " -x";
    case FlagHint::Value::file:
      return " -r -F";
    case FlagHint::Value::folder:
      return " -x -a '(__fish_complete_directories)'";
    case FlagHint::Value::words:
      break;
  }
  return fmt::format(" -x -a '{}'", fmt::join(flag.words, " "));
}

std::string fish_command(const CommandHint& command) {
  std::string lines =
      fmt::format("complete -c codecarbon -n __fish_use_subcommand -f -a {} -d '{}'\n",
                  command.name, quotable(command.help));
  const std::string here = fmt::format("-n '__fish_seen_subcommand_from {}'", command.name);
  for (const FlagHint& flag : command.flags) {
    lines += fmt::format("complete -c codecarbon {} -l {}{} -d '{}'\n", here, flag.name.substr(2),
                         fish_value(flag), quotable(flag.help));
  }
  if (command.takes_program) {
    lines += fmt::format("complete -c codecarbon {} -x -a '(__fish_complete_subcommand)'\n", here);
  }
  if (!command.words.empty()) {
    lines +=
        fmt::format("complete -c codecarbon {} -x -a '{}'\n", here, fmt::join(command.words, " "));
  }
  return lines;
}

std::string fish_script(const std::vector<CommandHint>& commands) {
  std::string lines = "# fish completion for codecarbon: codecarbon completion fish | source\n";
  for (const CommandHint& command : commands) lines += fish_command(command);
  return lines;
}

}  // namespace

std::optional<std::string> completion_script(std::string_view shell,
                                             const std::vector<CommandHint>& commands) {
  if (shell == "bash") return bash_script(commands);
  if (shell == "zsh") return zsh_script(commands);
  if (shell == "fish") return fish_script(commands);
  return std::nullopt;
}

}  // namespace codecarbon::cli
