import {
  type Authenticator,
  type User,
  wrongCredentials,
} from '../../src/transport/authentication.ts';

/** Compares passwords with secrets that are at hand, where a gateway compares hashes on a thread. */
export function passwords(users: readonly User[]): Authenticator {
  return ({ credentials: { password, username } }) => {
    const isRight = users.some((user) => user.username === username && user.secret === password);
    return isRight ? undefined : wrongCredentials;
  };
}
