/**
 * A turn that threw ends the process when what it was about is set aside (docs/decisions/0221-a-turn-that-throws-ends-the-bridge.md),
 * which can take a database a moment. Until then the error has reached the caller of the turn, if there is one.
 */
import { TurnFailed } from '../store/turns.ts';
import { exitCodes } from './verb.ts';

/** Any other error that nobody catches ends the process at once. */
export function awaitThrownTurns(): void {
  process.on('uncaughtException', (error) => {
    if (error instanceof TurnFailed) return;
    console.error(error);
    process.exit(exitCodes.failed);
  });
}
