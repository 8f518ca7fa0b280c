/** Runs calls one after the other, in order; a failure affects only its own caller. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(call: () => Promise<T>): Promise<T> {
    const done = this.#last.then(call);
    this.#last = done.catch(() => {});
    return done;
  }
}
