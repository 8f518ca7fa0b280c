// What QuickFIX C++ does as the server of the acceptor bench: validate with the dictionary, answer each
// NewOrderSingle(D) with an ExecutionReport(8). Prints its port when it listens and ends with its standard input.
#include <quickfix/FileStore.h>
#include <quickfix/MessageCracker.h>
#include <quickfix/MessageStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketAcceptor.h>
#include <quickfix/fix44/ExecutionReport.h>
#include <quickfix/fix44/NewOrderSingle.h>

#include <iostream>
#include <memory>
#include <sstream>

class Application : public FIX::NullApplication, public FIX::MessageCracker {
  int count = 0;

  void fromApp(const FIX::Message &message, const FIX::SessionID &session)
      throw(FIX::FieldNotFound, FIX::IncorrectDataFormat, FIX::IncorrectTagValue,
            FIX::UnsupportedMessageType) override {
    crack(message, session);
  }

  void onMessage(const FIX44::NewOrderSingle &order, const FIX::SessionID &session) override {
    FIX::ClOrdID clOrdId;
    FIX::Symbol symbol;
    FIX::Side side;
    FIX::OrderQty quantity;
    order.get(clOrdId);
    order.get(symbol);
    order.get(side);
    order.get(quantity);
    const std::string id = std::to_string(++count);
    FIX44::ExecutionReport report{FIX::OrderID(id),
                                  FIX::ExecID(id),
                                  FIX::ExecType(FIX::ExecType_NEW),
                                  FIX::OrdStatus(FIX::OrdStatus_NEW),
                                  side,
                                  FIX::LeavesQty(quantity),
                                  FIX::CumQty(0),
                                  FIX::AvgPx(0)};
    report.set(clOrdId);
    report.set(symbol);
    report.set(quantity);
    FIX::Session::sendToTarget(report, session);
  }
};

int main(int argc, char **argv) {
  if (argc != 6) return 2;
  const std::string port = argv[1], store = argv[2], folder = argv[3], dictionary = argv[4];
  std::stringstream text;
  text << "[DEFAULT]\nConnectionType=acceptor\nBeginString=FIX.4.4\nSenderCompID=SERVER\n"
       << "SocketAcceptPort=" << port << "\nSocketNodelay=Y\nStartTime=00:00:00\nEndTime=00:00:00\n"
       << "HeartBtInt=30\nResetOnLogon=Y\nUseDataDictionary=Y\nDataDictionary=" << dictionary
       << "\nFileStorePath=" << folder << "\n";
  for (int i = 0; i < std::stoi(argv[5]); i++) text << "[SESSION]\nTargetCompID=CLIENT" << i << "\n";
  FIX::SessionSettings settings(text);
  Application application;
  std::unique_ptr<FIX::MessageStoreFactory> stores;
  if (store == "file") stores.reset(new FIX::FileStoreFactory(settings));
  else stores.reset(new FIX::MemoryStoreFactory());
  FIX::SocketAcceptor acceptor(application, *stores, settings);
  acceptor.start();
  std::cout << port << std::endl;
  std::string line;
  std::getline(std::cin, line);
  acceptor.stop(true);
}
