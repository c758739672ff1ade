#include <nanobind/nanobind.h>

#include "errors.hpp"
#include "gil.hpp"
#include "parts.hpp"
#include "text.hpp"
#include "tracker/diagnosis.hpp"

namespace codecarbon::python {
namespace {

using AnyDict = nb::typed<nb::dict, nb::str, nb::any>;

nb::dict sensor_as_dict(const SensorDiagnosis& sensor) {
  nb::dict dict;
  dict["name"] = to_str(sensor.name);
  dict["source"] = to_str(sensor.source);
  dict["method"] = to_str(to_string(sensor.method));
  dict["use"] = to_str(sensor.use);
  dict["reason"] = to_str(sensor.reason);
  return dict;
}

AnyDict detect(const StrDict& texts) {
  const Options options = to_options(texts);
  const Diagnosis found = value_or_raise(without_lock([&] { return diagnose(options); }));
  nb::list sensors;
  for (const SensorDiagnosis& sensor : found.sensors) sensors.append(sensor_as_dict(sensor));
  nb::dict dict;
  dict["os"] = to_str(found.system.os);
  dict["host"] = to_str(found.system.host);
  dict["cpu_count"] = found.system.cpu_count;
  dict["cpu_model"] = to_str(found.system.cpu_model);
  dict["gpu_count"] = found.system.gpu_count;
  dict["gpu_model"] = to_str(found.system.gpu_model);
  dict["ram_total_gb"] = found.system.ram_total_gb;
  dict["sensors"] = sensors;
  return AnyDict(std::move(dict));
}

constexpr const char* kDetect =
    "Looks at the machine as a tracker with these options would: os, host, cpu_count, cpu_model,\n"
    "gpu_count, gpu_model, ram_total_gb (GB) and sensors, each with name, source, method, use "
    "(cpu,\n"
    "gpu, ram, usage or \"\" when passed over) and reason. Raises as Tracker does.";

}  // namespace

void add_detection(nb::module_& module) {
  module.def("detect", &detect, nb::arg("options"), kDetect);
}

}  // namespace codecarbon::python
