import { made, pressed, theirs } from './made.js';
import { Section } from './room.js';
import type { ConsentsSeen } from './consents.js';
import { dayAndTime } from './words.js';

/** The receipts of what stands, newest first. */
export class Receipts extends Section<ConsentsSeen> {
  async read(): Promise<ConsentsSeen> {
    const { person, language } = this.room;
    const [purposes, { purposes: state }] = await Promise.all([person.purposes(language), person.consents()]);
    return { purposes, state };
  }

  protected draw({ purposes, state }: ConsentsSeen): Node[] {
    const { words, language } = this.room;
    const all = purposes
      .flatMap((purpose) => {
        const said = state[purpose.key];
        return said?.receiptId && said.givenAt ? [{ purpose, said, id: said.receiptId, at: said.givenAt }] : [];
      })
      .sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
    if (all.length === 0) return [made('p', {}, words.noReceipts)];
    const items = all.map(({ purpose, said, id, at }) =>
      made(
        'li',
        { part: 'item' },
        made('h3', { id: `r-${purpose.key}` }, theirs(purpose.name, purpose.locale)),
        made('p', {}, `${words.answers[said.state] ?? ''}: `, made('time', { datetime: at }, dayAndTime(at, language))),
        pressed(words.download, () => this.act(() => this.download(id)), {
          id: `d-${purpose.key}`,
          'aria-describedby': `r-${purpose.key}`,
        }),
      ),
    );
    return [made('ul', { role: 'list' }, ...items)];
  }

  /** The file that the portal hands out: everybody can verify it with the public keys of the service. */
  private async download(id: string): Promise<string> {
    const { receipt, jws } = await this.room.person.receipt(id);
    const address = URL.createObjectURL(new Blob([JSON.stringify({ receipt, jws })], { type: 'application/json' }));
    made('a', { href: address, download: `${id}.json` }).click();
    setTimeout(() => URL.revokeObjectURL(address));
    return '';
  }
}
