import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { makeZip } from 'client-zip';

/** Entry of one file in a manifest. */
export interface ListedMember {
  name: string;
  bytes: number;
  /** Hex. */
  sha256: string;
}

/** One file of an archive while it is written. It is kept on the disk, so that several can grow at once. */
export class Member {
  private readonly hash = createHash('sha256');
  private bytes = 0;

  constructor(
    readonly name: string,
    readonly path: string,
    private readonly file: FileHandle,
  ) {}

  async write(text: string): Promise<void> {
    const content = Buffer.from(text);
    this.hash.update(content);
    this.bytes += content.length;
    // `write` of a file may write only a part of the bytes.
    await this.file.appendFile(content);
  }

  /** Appends the content of another file. */
  async append({ path }: Member): Promise<void> {
    for await (const chunk of createReadStream(path, 'utf8')) await this.write(chunk as string);
  }

  /** Closes the file. */
  async end(): Promise<ListedMember> {
    await this.file.close();
    return { name: this.name, bytes: this.bytes, sha256: this.hash.digest('hex') };
  }
}

/** Time of every file in the archive. It is fixed, because the same question has to give the same bytes. */
const TIME_OF_FILES = new Date(1980, 0, 1);
const MODE_OF_FILES = 0o644;

/** The files of one archive, in a folder of their own until they are packed. */
export class Members {
  private readonly members = new Map<string, Member>();
  private readonly listed: ListedMember[] = [];
  private made = 0;

  private constructor(private readonly folder: string) {}

  /** In a new folder, which only this user can read. */
  static async in(parent: string): Promise<Members> {
    return new Members(await mkdtemp(join(parent, '.assent-bundle-')));
  }

  async open(name: string): Promise<Member> {
    const member = await this.draft(name);
    this.members.set(name, member);
    return member;
  }

  /** One that does not go into the archive. */
  async draft(name: string): Promise<Member> {
    const path = join(this.folder, String(this.made++));
    return new Member(name, path, await open(path, 'wx', 0o600));
  }

  /** Writes a whole file at once. */
  async put(name: string, content: string): Promise<void> {
    const member = await this.open(name);
    await member.write(content);
    await this.end(member);
  }

  async end(member: Member): Promise<void> {
    this.listed.push(await member.end());
  }

  /** The closed files, sorted by name. */
  list(): ListedMember[] {
    return [...this.listed].sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  /** The archive: zip, not compressed, so that no version of a compressor changes a byte. */
  async pack(write: (chunk: Uint8Array) => Promise<void>): Promise<void> {
    for await (const chunk of makeZip(this.inputs()) as unknown as AsyncIterable<Uint8Array>) await write(chunk);
  }

  /** One after the other: a file is opened when it is its turn. */
  private *inputs(): Generator<{ name: string; input: AsyncIterable<Uint8Array>; lastModified: Date; mode: number }> {
    for (const { name } of this.list()) {
      const input = createReadStream(this.members.get(name)!.path);
      yield { name, input, lastModified: TIME_OF_FILES, mode: MODE_OF_FILES };
    }
  }

  /** Removes the folder, also after a failure. */
  async remove(): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }
}
