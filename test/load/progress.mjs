/** One line on standard error for each thing done: how far it is of how many, how long it took so far, what came out. */
export class Progress {
  #part = '';
  #done = 0;
  #of = 0;
  #from = performance.now();

  /** A part of the bench begins. */
  begin(part) {
    this.#part = part;
    this.#done = this.#of = 0;
    this.say('begins');
  }

  /** How many steps the part is going to have. */
  expect(steps) {
    this.#of = steps;
    this.#done = 0;
  }

  step(what, outcome = '') {
    this.#done++;
    this.#line(`${String(this.#done).padStart(String(this.#of).length)}/${this.#of}  ${what.padEnd(52)} ${outcome}`);
  }

  say(what) {
    this.#line(what);
  }

  #line(text) {
    const seconds = Math.round((performance.now() - this.#from) / 1000);
    const clock = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
    console.error(`${clock.padStart(6)}  ${this.#part.padEnd(12)} ${text}`);
  }
}
