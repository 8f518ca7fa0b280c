/** Calls that wait for each other, in the order of asking; one that fails fails for whoever asked for it alone. */
export class OneAtATime {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(call: () => Promise<T>): Promise<T> {
    const done = this.#last.then(call);
    this.#last = done.catch(() => {});
    return done;
  }
}
