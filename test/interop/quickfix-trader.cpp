// A QuickFIX C++ trader: sends the messages that are written to its standard input, `D|11=a|55=BTC-USDC|...`, and
// writes what it hears and what it refuses, with | for SOH.
//
//   quickfix-trader PORT DICTIONARY STORE SENDER TARGET USERNAME PASSWORD
//
#include <quickfix/Application.h>
#include <quickfix/DataDictionary.h>
#include <quickfix/FileStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>

#include <algorithm>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>

namespace {

std::mutex output;

void say(const std::string& line) {
  std::lock_guard<std::mutex> lock(output);
  std::cout << line << std::endl;
}

std::string readable(const FIX::Message& message) {
  std::string text = message.toString();
  std::replace(text.begin(), text.end(), '\001', '|');
  return text;
}

class Trader : public FIX::Application {
 public:
  Trader(const std::string& username, const std::string& password) : m_username(username), m_password(password) {}
  FIX::SessionID id;

  void onCreate(const FIX::SessionID& session) { id = session; }
  void onLogon(const FIX::SessionID&) { say("logon"); }
  void onLogout(const FIX::SessionID&) { say("logout"); }
  void toAdmin(FIX::Message& message, const FIX::SessionID&) {
    if (message.getHeader().getField(35) == "A") {
      message.setField(FIX::Username(m_username));
      message.setField(FIX::Password(m_password));
    }
    if (message.getHeader().getField(35) == "3") say("refuses " + readable(message));
    if (message.getHeader().getField(35) == "2") say("asks " + readable(message));
  }
  void toApp(FIX::Message& message, const FIX::SessionID&) throw(FIX::DoNotSend) {
    if (message.getHeader().getField(35) == "j") say("refuses " + readable(message));
  }
  void fromAdmin(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::RejectLogon) {
    if (message.getHeader().getField(35) == "3") say("refused " + readable(message));
  }
  void fromApp(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) {
    say("hears " + readable(message));
  }

 private:
  std::string m_username;
  std::string m_password;
};

// With the dictionary, so that the groups of the line become groups of the message.
FIX::Message messageOf(std::string line, const FIX::DataDictionary& dictionary) {
  std::replace(line.begin(), line.end(), '|', '\001');
  return FIX::Message("8=FIX.4.4\0019=0\00135=" + line + "\00110=000\001", dictionary, false);
}

void obey(Trader& trader, const FIX::DataDictionary& dictionary) {
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "quit") return;
    if (line.compare(0, 7, "forget ") == 0) {
      FIX::Session* session = FIX::Session::lookupSession(trader.id);
      session->setNextTargetMsgSeqNum(session->getExpectedTargetNum() - std::stoi(line.substr(7)));
      say("did " + line);
      continue;
    }
    FIX::Message message = messageOf(line, dictionary);
    FIX::Session::sendToTarget(message, trader.id);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) return 2;
  std::stringstream text;
  text << "[DEFAULT]\nConnectionType=initiator\nSocketConnectHost=127.0.0.1\nSocketConnectPort=" << argv[1]
       << "\nReconnectInterval=1\nHeartBtInt=30\nStartTime=00:00:00\nEndTime=00:00:00\nUseDataDictionary=Y"
       << "\nDataDictionary=" << argv[2] << "\nValidateFieldsHaveValues=Y\nValidateUserDefinedFields=Y"
       << "\nFileStorePath=" << argv[3] << "\n[SESSION]\nBeginString=FIX.4.4\nSenderCompID=" << argv[4]
       << "\nTargetCompID=" << argv[5] << "\n";
  try {
    const FIX::DataDictionary dictionary(argv[2]);
    FIX::SessionSettings settings(text);
    FIX::FileStoreFactory store(settings);
    Trader trader(argv[6], argv[7]);
    FIX::SocketInitiator initiator(trader, store, settings);
    initiator.start();
    obey(trader, dictionary);
    initiator.stop(true);
  } catch (const std::exception& error) {
    say(std::string("failed ") + error.what());
    return 1;
  }
  return 0;
}
