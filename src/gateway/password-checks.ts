/**
 * Whether passwords are right. A scrypt takes some milliseconds, in which no order would move, so it is done beside the
 * trading thread, and one at a time, because the system's threads also sync the disk
 * (docs/decisions/0220-passwords-are-checked-beside-the-orders.md).
 */
import { Inquiry } from '../transport/inquiry.ts';
import { isSecret, type SecretHash } from './secret-hash.ts';

interface Check {
  readonly password: string;
  readonly hash: SecretHash;
  readonly tell: (isRight: boolean) => void;
}

/** What a connection asked. */
interface Question {
  readonly password: string;
  readonly hash: SecretHash;
  readonly inquiry: Inquiry;
  isRight: boolean | undefined;
}

export class PasswordChecks {
  readonly #questions = new WeakMap<object, Question>();
  readonly #line: Check[] = [];
  #isBusy = false;

  /** How many wait. */
  get waiting(): number {
    return this.#line.length;
  }

  /** A connection that asks the same again when the inquiry is over is told once, and nothing is remembered of it. */
  verdict(connection: object, password: string, hash: SecretHash): boolean | Inquiry {
    const question = this.#questions.get(connection);
    if (question?.password !== password || question.hash !== hash) {
      return this.#begin(connection, password, hash);
    }
    if (question.isRight === undefined) return question.inquiry;
    this.#questions.delete(connection);
    return question.isRight;
  }

  isRight(password: string, hash: SecretHash): Promise<boolean> {
    return new Promise((tell) => this.#ask({ password, hash, tell }));
  }

  #begin(connection: object, password: string, hash: SecretHash): Inquiry {
    let end = (_isRight: boolean) => {};
    const over = new Promise<boolean>((resolve) => {
      end = resolve;
    });
    const tell = (isRight: boolean) => {
      question.isRight = isRight;
      end(isRight);
    };
    const check = { password, hash, tell };
    const inquiry = new Inquiry(over, () => this.#drop(check));
    const question: Question = { password, hash, inquiry, isRight: undefined };
    this.#questions.set(connection, question);
    this.#ask(check);
    return inquiry;
  }

  #ask(check: Check): void {
    this.#line.push(check);
    void this.#work();
  }

  #drop(check: Check): void {
    const at = this.#line.indexOf(check);
    if (at >= 0) this.#line.splice(at, 1);
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let check = this.#line.shift(); check !== undefined; check = this.#line.shift()) {
      check.tell(await isSecret(check.password, check.hash));
    }
    this.#isBusy = false;
  }
}
