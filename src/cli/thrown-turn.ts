/**
 * After a turn that threw, the process exits once its messages are set aside (docs/decisions/0032-turns.md), which can
 * take a moment with a database. By then the error has reached the caller of the turn, if there is one.
 */
import { TurnFailed } from '../store/turns.ts';
import { exitCodes } from './verb.ts';

/** Any other uncaught error ends the process at once. */
export function awaitThrownTurns(): void {
  process.on('uncaughtException', (error) => {
    if (error instanceof TurnFailed) return;
    console.error(error);
    process.exit(exitCodes.failed);
  });
}
