// A QuickFIX C++ client or server driven by lines on its standard input; what happens to it is told line by line.
//
//   quickfix-peer initiator|acceptor PORT DICTIONARY STORE [tls-ca FILE] [reset]
//
#include <quickfix/Application.h>
#include <quickfix/FileStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketAcceptor.h>
#include <quickfix/SocketInitiator.h>
#if (HAVE_SSL > 0)
#include <quickfix/SSLSocketInitiator.h>
#endif

#include <iostream>
#include <memory>
#include <sstream>
#include <string>

namespace {

void say(const std::string& line) {
  std::cout << line << std::endl;
}

std::string field(const FIX::FieldMap& map, int tag) {
  return map.isSetField(tag) ? map.getField(tag) : "-";
}

class Peer : public FIX::Application {
 public:
  explicit Peer(bool echoes) : m_echoes(echoes) {}
  FIX::SessionID id;

  void onCreate(const FIX::SessionID& session) { id = session; }
  void onLogon(const FIX::SessionID&) { say("logon"); }
  void onLogout(const FIX::SessionID&) { say("logout"); }
  void toAdmin(FIX::Message& message, const FIX::SessionID&) { say("sends " + field(message.getHeader(), 35)); }
  void toApp(FIX::Message&, const FIX::SessionID&) throw(FIX::DoNotSend) {}
  void fromAdmin(const FIX::Message& message, const FIX::SessionID&)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::RejectLogon) {
    say("admin " + field(message.getHeader(), 35) + " " + field(message, 58));
  }
  void fromApp(const FIX::Message& message, const FIX::SessionID& session)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue, FIX::UnsupportedMessageType) {
    const FIX::Header& header = message.getHeader();
    say("app " + field(header, 35) + " " + field(message, 11) + " " + field(message, 17) + " " + field(header, 43));
    if (!m_echoes) return;
    FIX::Message echo = message;
    FIX::Session::sendToTarget(echo, session);
  }

 private:
  bool m_echoes;
};

FIX::Message order(const std::string& clOrdId) {
  FIX::Message message;
  message.getHeader().setField(FIX::MsgType("D"));
  message.setField(FIX::ClOrdID(clOrdId));
  message.setField(FIX::Symbol("BTC-USDC"));
  message.setField(FIX::Side('1'));
  message.setField(FIX::TransactTime());
  message.setField(FIX::OrderQty(2));
  message.setField(FIX::OrdType('2'));
  message.setField(FIX::Price(101.5));
  return message;
}

void obey(Peer& peer) {
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string verb;
    std::string word;
    words >> verb >> word;
    FIX::Session* session = FIX::Session::lookupSession(peer.id);
    if (verb == "order") {
      FIX::Message message = order(word);
      FIX::Session::sendToTarget(message, peer.id);
    } else if (verb == "skip") {
      session->setNextSenderMsgSeqNum(session->getExpectedSenderNum() + std::stoi(word));
    } else if (verb == "forget") {
      session->setNextTargetMsgSeqNum(session->getExpectedTargetNum() - std::stoi(word));
    } else if (verb == "logout") {
      session->logout();
    } else if (verb == "logon") {
      session->logon();
    } else if (verb == "quit") {
      return;
    }
    say("did " + line);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string role = argv[1];
  std::string ca;
  bool resets = false;
  for (int at = 5; at < argc; ++at) {
    if (std::string(argv[at]) == "tls-ca") ca = argv[at + 1];
    if (std::string(argv[at]) == "reset") resets = true;
  }
  const bool accepts = role == "acceptor";
  std::stringstream text;
  text << "[DEFAULT]\nConnectionType=" << role << "\nSocketConnectHost=127.0.0.1\nSocketConnectPort=" << argv[2]
       << "\nSocketAcceptPort=" << argv[2] << "\nSocketReuseAddress=Y\nReconnectInterval=1\nHeartBtInt=30"
       << "\nStartTime=00:00:00\nEndTime=00:00:00\nUseDataDictionary=Y\nDataDictionary=" << argv[3]
       << "\nFileStorePath=" << argv[4] << (resets ? "\nResetOnLogon=Y" : "")
       << (ca.empty() ? "" : "\nCertificateAuthoritiesFile=" + ca + "\nCertificateVerifyLevel=1")
       << "\n[SESSION]\nBeginString=FIX.4.4\nSenderCompID=QUICKFIX\nTargetCompID=CAUSEWAY\n";
  try {
    FIX::SessionSettings settings(text);
    FIX::FileStoreFactory store(settings);
    Peer peer(accepts);
    std::unique_ptr<FIX::Acceptor> acceptor;
    std::unique_ptr<FIX::Initiator> initiator;
    if (accepts) {
      acceptor.reset(new FIX::SocketAcceptor(peer, store, settings));
      acceptor->start();
    } else {
#if (HAVE_SSL > 0)
      if (!ca.empty()) initiator.reset(new FIX::SSLSocketInitiator(peer, store, settings));
#endif
      if (!initiator) initiator.reset(new FIX::SocketInitiator(peer, store, settings));
      initiator->start();
    }
    say("ready");
    obey(peer);
    if (acceptor) acceptor->stop(true);
    if (initiator) initiator->stop(true);
  } catch (const std::exception& error) {
    say(std::string("failed ") + error.what());
    return 1;
  }
  return 0;
}
