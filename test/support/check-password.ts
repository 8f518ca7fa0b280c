/** Checks a password on a thread, prints what was found, and has nothing more to do. */
import { PasswordThread } from '../../src/gateway/passwords/password-thread.ts';
import { hashSecret, lightCost, parseSecretHash } from '../../src/gateway/passwords/secret-hash.ts';

const hash = parseSecretHash(hashSecret('right', lightCost));
if (hash === undefined) throw new Error('no hash');
process.stdout.write(`${await new PasswordThread().check('right', hash)}\n`);
