#include "readings/gpu_choice.hpp"

#include <algorithm>
#include <charconv>
#include <string_view>

namespace codecarbon {
namespace {

using Gpus = std::vector<const Domain*>;

std::string_view without_blanks(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> entries;
  while (true) {
    const auto comma = std::min(list.find(','), list.size());
    entries.push_back(without_blanks(list.substr(0, comma)));
    if (comma == list.size()) return entries;
    list.remove_prefix(comma + 1);
  }
}

std::optional<int> index_in(std::string_view text) {
  int index = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), index);
  if (error != std::errc{} || end != text.data() + text.size() || index < 0) return std::nullopt;
  return index;
}

/// The GPU of an instance that names it: "MIG-GPU-<uuid>/<gpu instance>/<compute instance>".
std::string_view parent_in(std::string_view id) {
  constexpr std::string_view kMig = "MIG-";
  if (!id.starts_with("MIG-GPU-")) return {};
  return id.substr(kMig.size(), id.find('/') - kMig.size());
}

bool answers_to(const Domain& gpu, std::string_view id) {
  if (!gpu.uuid.empty() && gpu.uuid.starts_with(id)) return true;
  if (const auto parent = parent_in(id); !parent.empty()) return gpu.uuid == parent;
  return std::any_of(gpu.instances.begin(), gpu.instances.end(),
                     [id](const std::string& instance) { return instance.starts_with(id); });
}

/// The one GPU that answers to an identifier; null when there is none or more than one.
const Domain* by_identifier(const Gpus& gpus, std::string_view id) {
  if (id.empty()) return nullptr;
  const Domain* found = nullptr;
  for (const Domain* gpu : gpus) {
    if (!answers_to(*gpu, id)) continue;
    if (found != nullptr) return nullptr;
    found = gpu;
  }
  return found;
}

/// What a vendor's variable leaves of its GPUs, in the order of the list.
struct Visible {
  Gpus gpus;
  std::optional<std::string> unknown;  ///< the entry that ended the list
};

/// `at` finds the GPU that an entry means, or null.
template <class At>
Visible filter(std::string_view list, At at) {
  Visible visible;
  for (const std::string_view entry : split(list)) {
    const Domain* gpu = at(entry);
    if (gpu == nullptr) {
      if (!without_blanks(list).empty() && entry != "-1") visible.unknown = std::string(entry);
      break;
    }
    visible.gpus.push_back(gpu);
  }
  return visible;
}

const Domain* by_number(const Gpus& gpus, int index) {
  const auto has = [index](const Domain* gpu) { return gpu->index == index; };
  const auto found = std::find_if(gpus.begin(), gpus.end(), has);
  return found == gpus.end() ? nullptr : *found;
}

const Domain* by_entry(const Gpus& gpus, std::string_view entry) {
  if (const auto index = index_in(entry)) return by_number(gpus, *index);
  return by_identifier(gpus, entry);
}

/// Within what another variable has left, entries count from 0 again.
const Domain* by_position(const Gpus& gpus, std::string_view entry) {
  const auto index = index_in(entry);
  if (!index) return by_identifier(gpus, entry);
  return static_cast<std::size_t>(*index) < gpus.size() ? gpus[static_cast<std::size_t>(*index)]
                                                        : nullptr;
}

class Choice {
 public:
  Choice(std::span<const Domain* const> gpus, const VisibleDevices& visible)
      : gpus_(gpus), visible_(visible) {
    choice_.reasons.resize(gpus.size());
  }

  GpuChoice by_ids(const std::vector<std::string>& ids) {
    Gpus kept;
    for (const std::string& id : ids) {
      const auto named = named_by(without_blanks(id));
      if (named.empty()) choice_.unknown.push_back(id);
      kept.insert(kept.end(), named.begin(), named.end());
    }
    keep(Gpus(gpus_.begin(), gpus_.end()), kept, "not among gpu_ids");
    keep_meters();
    return std::move(choice_);
  }

  GpuChoice by_environment() {
    narrow(Vendor::nvidia, visible_.cuda, "CUDA_VISIBLE_DEVICES");
    narrow_amd();
    narrow_intel();
    keep_meters();
    return std::move(choice_);
  }

 private:
  Gpus of(Vendor vendor) const {
    Gpus gpus;
    std::copy_if(gpus_.begin(), gpus_.end(), std::back_inserter(gpus),
                 [vendor](const Domain* gpu) { return gpu->vendor == vendor; });
    return gpus;
  }

  /// An index is that GPU of each vendor; an identifier is one of all.
  Gpus named_by(std::string_view id) const {
    const Gpus all(gpus_.begin(), gpus_.end());
    Gpus named;
    if (const auto index = index_in(id)) {
      std::copy_if(all.begin(), all.end(), std::back_inserter(named),
                   [&](const Domain* gpu) { return gpu->index == *index; });
    } else if (const Domain* gpu = by_identifier(all, id)) {
      named.push_back(gpu);
    }
    return named;
  }

  void keep(const Gpus& among, const Gpus& kept, std::string_view reason) {
    for (const Domain* gpu : among) {
      if (std::find(kept.begin(), kept.end(), gpu) != kept.end()) continue;
      const auto at = std::find(gpus_.begin(), gpus_.end(), gpu) - gpus_.begin();
      choice_.reasons[static_cast<std::size_t>(at)] = reason;
    }
  }

  /// A die that is measured with another one is measured by it, whole card that it is.
  void keep_meters() {
    for (std::size_t die = 0; die < gpus_.size(); ++die) {
      if (!gpus_[die]->metered_by || !choice_.reasons[die].empty()) continue;
      for (std::size_t meter = 0; meter < gpus_.size(); ++meter) {
        const bool same = gpus_[meter]->vendor == gpus_[die]->vendor;
        if (same && gpus_[meter]->index == gpus_[die]->metered_by) choice_.reasons[meter].clear();
      }
    }
  }

  Gpus apply(const Gpus& among, Visible visible, const char* variable) {
    if (visible.unknown) choice_.unknown.push_back(std::string(variable) + ": " + *visible.unknown);
    keep(among, visible.gpus, std::string("not among ") + variable);
    return std::move(visible.gpus);
  }

  Gpus narrow(Vendor vendor, const std::optional<std::string>& list, const char* variable) {
    const Gpus gpus = of(vendor);
    if (!list || gpus.empty()) return gpus;
    return apply(gpus, filter(*list, [&](auto entry) { return by_entry(gpus, entry); }), variable);
  }

  /// HIP takes CUDA's variable where its own is not set.
  void narrow_amd() {
    const Gpus left = narrow(Vendor::amd, visible_.rocr, "ROCR_VISIBLE_DEVICES");
    const auto& list = visible_.hip ? visible_.hip : visible_.cuda;
    if (!list || left.empty()) return;
    apply(left, filter(*list, [&](auto entry) { return by_position(left, entry); }),
          visible_.hip ? "HIP_VISIBLE_DEVICES" : "CUDA_VISIBLE_DEVICES");
  }

  /// A tile ("0.1") stands for the card that it is a part of. An empty mask is no mask.
  void narrow_intel() {
    const Gpus gpus = of(Vendor::intel);
    if (!visible_.ze || without_blanks(*visible_.ze).empty() || gpus.empty()) return;
    const auto card = [&](std::string_view entry) {
      return by_entry(gpus, entry.substr(0, entry.find('.')));
    };
    apply(gpus, filter(*visible_.ze, card), "ZE_AFFINITY_MASK");
  }

  std::span<const Domain* const> gpus_;
  const VisibleDevices& visible_;
  GpuChoice choice_;
};

}  // namespace

GpuChoice choose_gpus(std::span<const Domain* const> gpus,
                      const std::optional<std::vector<std::string>>& gpu_ids,
                      const VisibleDevices& visible) {
  Choice choice(gpus, visible);
  return gpu_ids ? choice.by_ids(*gpu_ids) : choice.by_environment();
}

}  // namespace codecarbon
