/**
 * Loaded before the program: a transaction throws on the order whose ClOrdID is `poison`, as a mistake of ours would.
 */
import { AccountRunner } from '../../src/gateway/account/account-runner.ts';

const { apply } = AccountRunner.prototype;

AccountRunner.prototype.apply = function (input) {
  if (input.kind === 'entry' && JSON.stringify(input, shown).includes('"poison"')) {
    throw new Error('a mistake of ours');
  }
  apply.call(this, input);
};

function shown(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
