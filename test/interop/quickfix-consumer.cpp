// A QuickFIX C++ acceptor for drop copies: it lets in whoever proves to be BRIDGE_USER, writes what it hears, with | for
// SOH, and sends the messages that are written to its standard input, `UR|9120=a|...`. Its FileLog is what
// `causeway dropcopy verify` reads.
//
//   quickfix-consumer PORT DICTIONARY FOLDER SENDER TARGET BRIDGE_USER BRIDGE_PASSWORD
//
#include <quickfix/Application.h>
#include <quickfix/DataDictionary.h>
#include <quickfix/FileLog.h>
#include <quickfix/FileStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketAcceptor.h>

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

std::string typeOf(const FIX::Message& message) { return message.getHeader().getField(35); }

class Consumer : public FIX::Application {
 public:
  Consumer(const std::string& username, const std::string& password) : m_username(username), m_password(password) {}
  FIX::SessionID id;

  void onCreate(const FIX::SessionID& session) { id = session; }
  void onLogon(const FIX::SessionID&) { say("logon"); }
  void onLogout(const FIX::SessionID&) { say("logout"); }
  void toAdmin(FIX::Message& message, const FIX::SessionID&) {
    if (typeOf(message) == "3") say("refuses " + readable(message));
  }
  void toApp(FIX::Message& message, const FIX::SessionID&) throw(FIX::DoNotSend) {
    if (typeOf(message) == "j") say("refuses " + readable(message));
  }
  void fromAdmin(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::RejectLogon) {
    if (typeOf(message) == "3") say("refused " + readable(message));
    if (typeOf(message) != "A") return;
    if (message.getField(553) != m_username || message.getField(554) != m_password) throw FIX::RejectLogon("who?");
  }
  void fromApp(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) {
    say("hears " + readable(message));
  }

 private:
  std::string m_username;
  std::string m_password;
};

void obey(Consumer& consumer, const FIX::DataDictionary& dictionary) {
  for (std::string line; std::getline(std::cin, line);) {
    if (line == "quit") return;
    std::replace(line.begin(), line.end(), '|', '\001');
    FIX::Message message("8=FIX.4.4\0019=0\00135=" + line + "\00110=000\001", dictionary, false);
    FIX::Session::sendToTarget(message, consumer.id);
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 8) return 2;
  std::stringstream text;
  text << "[DEFAULT]\nConnectionType=acceptor\nSocketAcceptPort=" << argv[1] << "\nSocketReuseAddress=Y"
       << "\nStartTime=00:00:00\nEndTime=00:00:00\nUseDataDictionary=Y\nDataDictionary=" << argv[2]
       << "\nValidateFieldsHaveValues=Y\nValidateUserDefinedFields=Y\nFileStorePath=" << argv[3]
       << "\nFileLogPath=" << argv[3] << "\n[SESSION]\nBeginString=FIX.4.4\nSenderCompID=" << argv[4]
       << "\nTargetCompID=" << argv[5] << "\n";
  try {
    const FIX::DataDictionary dictionary(argv[2]);
    FIX::SessionSettings settings(text);
    FIX::FileStoreFactory store(settings);
    FIX::FileLogFactory log(settings);
    Consumer consumer(argv[6], argv[7]);
    FIX::SocketAcceptor acceptor(consumer, store, settings, log);
    acceptor.start();
    say("listens");
    obey(consumer, dictionary);
    acceptor.stop();
  } catch (const std::exception& error) {
    say(std::string("failed ") + error.what());
    return 1;
  }
  return 0;
}
