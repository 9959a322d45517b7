/** How every prefix looks. No stream of this service has a point before its first hyphen, so none looks like another's. */
const WITH_PREFIX = /^[a-z][a-z0-9_]{0,30}\./;

/**
 * How streams are called on the server, which several installations and other applications may share: with a prefix,
 * `<prefix>.<stream>`. No prefix can be the beginning of another one, since each ends at the first point.
 */
export class StreamNames {
  private readonly before: string;

  /**
   * @param prefix `''`: streams are called as the service calls them, and those with any prefix belong to others
   * @param isOwn whether the service has streams of that name; all others belong to other applications. Default: all are its own
   */
  constructor(
    prefix: string,
    readonly isOwn: (stream: string) => boolean = () => true,
  ) {
    this.before = prefix === '' ? '' : `${prefix}.`;
  }

  onServer(stream: string): string {
    return this.before + stream;
  }

  /** As the service calls it; null where it belongs to another installation or application. */
  ours(name: string): string | null {
    const stream = this.withoutPrefix(name);
    return stream !== null && this.isOwn(stream) ? stream : null;
  }

  /** What the server filters by; none: it sends everything, and `ours` decides. */
  filterOf(prefixes: readonly string[]): string[] {
    if (prefixes.length > 0) return prefixes.map((each) => this.before + each);
    return this.before === '' ? [] : [this.before];
  }

  private withoutPrefix(name: string): string | null {
    if (this.before !== '') return name.startsWith(this.before) ? name.slice(this.before.length) : null;
    return WITH_PREFIX.test(name) ? null : name;
  }
}
