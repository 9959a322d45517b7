/** The database, log, mail server or cache cannot be reached, or did not answer in time. HTTP: 503 within 2 s. */
export class DependencyUnavailable extends Error {
  constructor(
    /** Which one, in words that may be shown: `database`, `event log`. Never a host name. */
    readonly dependency: string,
    options?: { cause?: unknown },
  ) {
    super(`${dependency} is not available`, options);
    this.name = 'DependencyUnavailable';
  }
}
