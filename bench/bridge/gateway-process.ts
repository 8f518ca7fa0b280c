/** The bridge in a process of its own: says its port, and how much memory it has when it is asked. */
import { loadConfig } from '../../src/gateway/config-file.ts';
import { Gateway } from '../../src/gateway/gateway.ts';

const gateway = await Gateway.open({
  loaded: loadConfig(process.argv[2] ?? ''),
  alarm: (text) => process.stderr.write(`ALARM ${text}\n`),
  notice: () => {},
  fatal(error) {
    throw error;
  },
});
process.on('message', () => {
  globalThis.gc?.();
  process.send?.({ heapBytes: process.memoryUsage().heapUsed });
});
process.once('disconnect', () => void gateway.stop().then(() => process.exit()));
process.send?.({ port: gateway.port });
