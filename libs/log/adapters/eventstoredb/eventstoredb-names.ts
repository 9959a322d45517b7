/** A name with a prefix. Streams of this service have no dot before their first hyphen, so none looks prefixed. */
const WITH_PREFIX = /^[a-z][a-z0-9_]{0,30}\./;

/**
 * Names of streams on a server that several installations and other applications may share: `<prefix>.<stream>`. No
 * prefix can begin another one, since each ends at the first dot.
 */
export class StreamNames {
  private readonly before: string;

  /**
   * @param prefix `''`: the service's own names; streams with any prefix belong to other installations
   * @param isOwn whether the service has streams of that name; all others belong to other applications. Default: all
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

  /** The service's name of a stream; null where it belongs to another installation or application. */
  ours(name: string): string | null {
    const stream = this.withoutPrefix(name);
    return stream !== null && this.isOwn(stream) ? stream : null;
  }

  /** Prefixes for the server's filter; empty: the server sends all streams, and `ours` decides. */
  filterOf(prefixes: readonly string[]): string[] {
    if (prefixes.length > 0) return prefixes.map((each) => this.before + each);
    return this.before === '' ? [] : [this.before];
  }

  private withoutPrefix(name: string): string | null {
    if (this.before !== '') return name.startsWith(this.before) ? name.slice(this.before.length) : null;
    return WITH_PREFIX.test(name) ? null : name;
  }
}
