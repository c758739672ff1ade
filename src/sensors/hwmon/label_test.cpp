#include "sensors/hwmon/label.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <string>

namespace codecarbon::hwmon {
namespace {

TEST(SocketLabel, EachFormSaysItsPartAndSocket) {
  EXPECT_TRUE(rc::check([] {
    const int socket = *rc::gen::inRange(0, 64);
    const auto is = [&](const std::string& form, SocketPart part) {
      const auto label = parse_socket_label(form + std::to_string(socket) + "\n");
      return label && label->part == part && label->socket == socket;
    };
    RC_ASSERT(is("Module Power Socket ", SocketPart::module));
    RC_ASSERT(is("Grace Power Socket ", SocketPart::socket));
    RC_ASSERT(is("CPU Power Socket ", SocketPart::cores));
    RC_ASSERT(is("SysIO Power Socket ", SocketPart::rest));
    RC_ASSERT(is("Total Input Power in uW socket ", SocketPart::socket));
    RC_ASSERT(is("SOC Rail Power in uW socket ", SocketPart::rest));
  }));
}

TEST(SocketLabel, AnythingElseIsNone) {
  for (const char* label : {"", "Grace Power Socket", "Grace Power Socket ", "Grace Power Socket x",
                            "Grace Power Socket -1", "Grace Power Socket 0 Power",
                            "Grace Power Socket 99999999999", "GPU Power Socket 0", "PSU1"}) {
    EXPECT_FALSE(parse_socket_label(label)) << label;
  }
}

TEST(NumberAfter, TakesTheWholeEnd) {
  EXPECT_EQ(number_after("Esocket1", "Esocket"), 1);
  EXPECT_EQ(number_after("Esocket12", "Esocket"), 12);
  for (const char* text : {"Esocket", "Esocket1x", "Ecore001", "", "Esocket-1"}) {
    EXPECT_FALSE(number_after(text, "Esocket")) << text;
  }
}

}  // namespace
}  // namespace codecarbon::hwmon
