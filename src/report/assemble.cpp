#include "report/assemble.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "carbon/footprint.hpp"
#include "report/bounds.hpp"
#include "report/shares.hpp"
#include "units/gigabytes.hpp"

namespace codecarbon {
namespace {

Method combine(Method a, Method b) {
  if (a == Method::none || a == b) return b;
  return Method::mixed;
}

/// "package-0, package-1" or "8 x NVIDIA H100".
std::string list_names(const std::vector<std::string_view>& names) {
  std::string text;
  for (auto name = names.begin(); name != names.end();) {
    const auto next = std::find_if(name, names.end(), [&](auto other) { return other != *name; });
    if (!text.empty()) text += ", ";
    if (next - name > 1) text += fmt::format("{} x ", next - name);
    text += *name;
    name = next;
  }
  return text;
}

/// Whether a sensor belongs to the figure that is being made.
using Belongs = bool (*)(const Use&);

template <Component component>
bool is_of(const Use& use) {
  return use.component == component;
}

bool is_of_node(const Use& use) {
  return use.node;
}

Summary::Sum sum_up(Belongs belongs, std::span<const UsedSensor> sensors, const Ledger& ledger,
                    double pue) {
  Summary::Sum sum;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    if (!belongs(sensors[i].use)) continue;
    const SensorInfo& info = *sensors[i].info;
    const Account& account = ledger.energies[i];
    sum.energy += account.energy;
    sum.bound +=
        account.bound + account.gap_bound() + boundary_bound(info, account, ledger.segments);
    sum.gap += account.gap_time();
  }
  sum.energy = with_pue(sum.energy, pue);
  sum.bound = with_pue(sum.bound, pue);
  return sum;
}

ComponentReport report_figure(Belongs belongs, std::span<const UsedSensor> sensors,
                              const Summary::Sum& sum, Duration active) {
  ComponentReport report{
      sum.energy, mean_power(sum.energy, active), sum.bound, sum.gap, Method::none, {}};
  std::vector<std::string_view> names;
  for (const UsedSensor& sensor : sensors) {
    if (!belongs(sensor.use)) continue;
    report.method = combine(report.method, sensor.info->method);
    names.push_back(sensor.info->domain.name);
  }
  report.source = list_names(names);
  return report;
}

std::vector<std::string> gap_notes(std::span<const UsedSensor> sensors, const Ledger& ledger,
                                   double pue) {
  std::vector<std::string> notes;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const Account& account = ledger.energies[i];
    for (std::size_t cause = 0; cause < kGapCauses; ++cause) {
      if (account.gaps[cause] == Duration::zero()) continue;
      notes.push_back(fmt::format(
          "{} {} for {:.3f} s: at most {:.3f} J may be missing", sensors[i].info->domain.name,
          to_string(static_cast<GapCause>(cause)), seconds(account.gaps[cause]),
          with_pue(account.gap_bounds[cause], pue).joules()));
    }
  }
  return notes;
}

/// The mean over the sensors of one kind that were read; missing when none was.
template <class Value>
std::optional<double> mean_usage(std::span<const UsedSensor> sensors, const Ledger& ledger,
                                 DomainKind kind, Quantity quantity, Value value) {
  double sum = 0;
  int count = 0;
  for (std::size_t i = 0; i < sensors.size(); ++i) {
    const SensorInfo& info = *sensors[i].info;
    const auto mean = ledger.usages[i].mean();
    if (info.domain.kind != kind || info.quantity != quantity || !mean) continue;
    sum += value(info, *mean);
    ++count;
  }
  if (count == 0) return std::nullopt;
  return sum / count;
}

UsageReport summarize_usage(std::span<const UsedSensor> sensors, const Ledger& ledger) {
  // A mean of whole readings may come out a rounding above the whole.
  const auto percent = [](const SensorInfo&, double millionths) {
    return std::min(millionths / 1e4, 100.0);
  };
  const auto percent_of_total = [](const SensorInfo& info, double bytes) {
    return info.memory_total > 0 ? 100 * bytes / static_cast<double>(info.memory_total) : 0.0;
  };
  const auto absolute = [](const SensorInfo&, double bytes) { return gigabytes(bytes); };
  return {mean_usage(sensors, ledger, DomainKind::cpu, Quantity::utilization, percent),
          mean_usage(sensors, ledger, DomainKind::gpu, Quantity::utilization, percent),
          mean_usage(sensors, ledger, DomainKind::ram, Quantity::memory_used, percent_of_total),
          mean_usage(sensors, ledger, DomainKind::ram, Quantity::memory_used, absolute)};
}

}  // namespace

Summary summarize(const RunContext& context, std::span<const UsedSensor> sensors,
                  const Ledger& ledger) {
  const double pue = context.pue;
  Summary summary{ledger.active,
                  sum_up(is_of<Component::cpu>, sensors, ledger, pue),
                  sum_up(is_of<Component::gpu>, sensors, ledger, pue),
                  sum_up(is_of<Component::ram>, sensors, ledger, pue),
                  sum_up(is_of_node, sensors, ledger, pue),
                  std::nullopt,
                  summarize_usage(sensors, ledger),
                  gap_notes(sensors, ledger, pue)};
  if (context.share_use == ShareUse::none) return summary;
  summary.share = summarize_shares(sensors, ledger, pue);
  summary.share->source = context.share_source;
  if (context.share_use != ShareUse::figures) return summary;
  make_own(summary);
  add_share_notes(summary.notes, sensors, ledger, pue);
  return summary;
}

Report assemble_report(const RunContext& context, std::span<const UsedSensor> sensors,
                       const Summary& summary, WallTime timestamp) {
  Report report;
  report.timestamp = timestamp;
  report.project_name = context.project_name;
  report.run_id = context.run_id;
  report.experiment_id = context.experiment_id;
  report.experiment_name = context.experiment_name;
  report.tracking_mode = context.tracking_mode;
  report.job = context.job;
  report.pue = context.pue;
  report.wue = context.wue;
  report.place = context.place;
  report.intensity = context.intensity;
  report.system = context.system;

  report.duration = summary.active;
  report.cpu = report_figure(is_of<Component::cpu>, sensors, summary.cpu, summary.active);
  report.gpu = report_figure(is_of<Component::gpu>, sensors, summary.gpu, summary.active);
  report.ram = report_figure(is_of<Component::ram>, sensors, summary.ram, summary.active);
  report.share = summary.share;
  auto meter = report_figure(is_of_node, sensors, summary.node, summary.active);
  if (meter.method != Method::none) {
    const Energy residual = meter.energy - report.energy();
    report.node = NodeReport{std::move(meter), residual};
  }
  report.emissions = report.energy() * context.intensity.value;
  report.water = water_use(report.energy(), context.wue);
  report.usage = summary.usage;
  report.notes = summary.notes;
  return report;
}

}  // namespace codecarbon
