import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { ROLES, type OperatorRole, type Role } from '../../context/roles.js';
import { ENVIRONMENTS, SITE_PATTERN } from '../../kernel/index.js';

/** A person whose claim has the value gets the role. */
interface Line extends OperatorRole {
  claim: string;
  value: string;
}

/** Most lines of a file, and most bytes. */
const LINES_MAX = 1_000;
const BYTES_MAX = 256 * 1024;

/** What is wrong with the file, and what to do. */
export class RoleFileFault extends Error {}

/**
 * The file that says which role a person gets for a claim of the identity provider. It is read again when it changes: at
 * a sign-in. A change that cannot be used is noted, and the lines from before it stay.
 */
export class RoleFile {
  private text = '';
  private lines: readonly Line[] = [];
  /** Of the last change that could not be used, so that it is noted once. */
  private fault: string | null = null;

  /** Throws RoleFileFault where the file cannot be used. */
  constructor(
    private readonly path: string,
    private readonly log?: { warn(details: object, message: string): void },
  ) {
    this.read();
  }

  /** The roles that the claims bring; empty: the person may not come in. */
  rolesOf(claims: Readonly<Record<string, unknown>>): OperatorRole[] {
    this.readAgain();
    // Where a provider did not check an address, an account can name anybody's.
    const counts = (claim: string): boolean => claim !== 'email' || claims['email_verified'] === true;
    const found = this.lines.filter(({ claim, value }) => counts(claim) && [claims[claim]].flat().includes(value));
    const byText = new Map(found.map(({ role, site, env }) => [`${role} ${site} ${env}`, { role, site, env }]));
    return [...byText.values()];
  }

  private readAgain(): void {
    try {
      this.read();
      this.fault = null;
    } catch (error) {
      if (!(error instanceof RoleFileFault)) throw error;
      if (error.message !== this.fault)
        this.log?.warn({ fault: error.message }, 'the roles of the identity provider stay as they were');
      this.fault = error.message;
    }
  }

  private read(): void {
    const text = this.content();
    if (text === this.text) return;
    this.lines = this.parsed(text);
    this.text = text;
  }

  private content(): string {
    try {
      return readFileSync(this.path, 'utf8');
    } catch (error) {
      throw this.faulty(`cannot be read (${(error as NodeJS.ErrnoException).code}): check its path and rights`);
    }
  }

  private parsed(text: string): Line[] {
    if (Buffer.byteLength(text) > BYTES_MAX) throw this.faulty(`is larger than ${BYTES_MAX} bytes: shorten it`);
    let lines: unknown;
    try {
      lines = parse(text);
    } catch (error) {
      throw this.faulty(`is no YAML: ${(error as Error).message.split('\n')[0]}`);
    }
    if (!Array.isArray(lines) || lines.length === 0 || lines.length > LINES_MAX)
      throw this.faulty(
        `must be a list of 1 to ${LINES_MAX} lines such as { claim: groups, value: privacy-team, role: PRIVACY, site: shop, env: "*" }`,
      );
    return lines.map((line, i) => this.line(line as Partial<Record<string, unknown>> | null, i));
  }

  private line(line: Partial<Record<string, unknown>> | null, i: number): Line {
    const { claim, value, role, site = '*', env = '*', ...others } = line ?? {};
    const at = (field: string, must: string): RoleFileFault => this.faulty(`[${i}].${field} ${must}`);
    const [unknown] = Object.keys(others);
    if (unknown !== undefined) throw at(unknown.slice(0, 40), 'is no field: use claim, value, role, site and env');
    if (typeof claim !== 'string' || claim === '') throw at('claim', 'must name a claim, such as groups');
    if (typeof value !== 'string' || value === '') throw at('value', 'must be a text, such as privacy-team');
    if (!ROLES.includes(role as Role)) throw at('role', `must be one of ${ROLES.join(', ')}`);
    if (typeof site !== 'string' || (site !== '*' && !SITE_PATTERN.test(site)))
      throw at('site', 'must be the name of a site, or "*"');
    if (env !== '*' && !(ENVIRONMENTS as readonly unknown[]).includes(env))
      throw at('env', 'must be test, live or "*"');
    return { claim, value, role: role as Role, site, env: env as OperatorRole['env'] };
  }

  private faulty(what: string): RoleFileFault {
    return new RoleFileFault(`ASSENT_OIDC_ROLES ${this.path}: ${what}`);
  }
}
