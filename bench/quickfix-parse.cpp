// What QuickFIX C++ does with one message: parse with the dictionary, validate, read a few fields. Prints messages
// per second for each line of standard input, which holds messages with '|' for SOH.
#include <quickfix/DataDictionary.h>
#include <quickfix/Message.h>

#include <algorithm>
#include <chrono>
#include <iostream>
#include <string>

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  const FIX::DataDictionary dictionary(argv[1]);
  const int count = std::stoi(argv[2]);
  std::string line;
  while (std::getline(std::cin, line)) {
    std::replace(line.begin(), line.end(), '|', '\001');
    const auto start = std::chrono::steady_clock::now();
    size_t seen = 0;
    for (int i = 0; i < count; i++) {
      FIX::Message message;
      message.setString(line, true, &dictionary, &dictionary);
      FIX::DataDictionary::validate(message, &dictionary, &dictionary);
      seen += message.getField(11).size() + message.getField(55).size() + message.getField(44).size();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    if (seen == 0) return 1;
    std::cout << static_cast<long>(count / took.count()) << std::endl;
  }
}
