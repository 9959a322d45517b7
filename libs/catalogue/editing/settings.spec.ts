import { describe, expect, it } from '@jest/globals';
import { isRefusal, type Decision } from '../../kernel/index.js';
import { changeEditing, letFilesWrite, type CatalogueEditing } from './settings.js';

const in_ = (owner: CatalogueEditing['owner'], approval: CatalogueEditing['approval']) => ({
  editing: { owner, approval },
});
const events = (decided: Decision<never>): unknown => (isRefusal(decided) ? decided.code : decided.events);
const of = (decided: unknown): unknown => events(decided as Decision<never>);

describe('who writes a catalogue', () => {
  it('is changed by name, and no event says what is so already', () => {
    expect(of(changeEditing({ owner: 'CONSOLE' }, {}))).toEqual([
      { type: 'CatalogueEditingChanged', data: { owner: 'CONSOLE', approval: 'NONE' } },
    ]);
    expect(of(changeEditing({ approval: 'FOUR_EYES' }, in_('CONSOLE', 'NONE')))).toEqual([
      { type: 'CatalogueEditingChanged', data: { owner: 'CONSOLE', approval: 'FOUR_EYES' } },
    ]);
    expect(of(changeEditing({ owner: 'FILES', approval: 'NONE' }, {}))).toEqual([]);
    expect(of(changeEditing({}, in_('CONSOLE', 'FOUR_EYES')))).toEqual([]);
  });

  it('files write where they own it', () => {
    for (const takeOver of [true, false]) {
      expect(of(letFilesWrite({}, takeOver))).toEqual([]);
      expect(of(letFilesWrite(in_('FILES', 'FOUR_EYES'), takeOver))).toEqual([]);
    }
  });

  it('files take over from the console only where they say so, and never where drafts need four eyes', () => {
    expect(of(letFilesWrite(in_('CONSOLE', 'NONE'), false))).toBe('catalogue_owned_by_console');
    expect(of(letFilesWrite(in_('CONSOLE', 'FOUR_EYES'), false))).toBe('catalogue_owned_by_console');
    expect(of(letFilesWrite(in_('CONSOLE', 'FOUR_EYES'), true))).toBe('approval_missing');
    expect(of(letFilesWrite(in_('CONSOLE', 'NONE'), true))).toEqual([
      { type: 'CatalogueEditingChanged', data: { owner: 'FILES', approval: 'NONE' } },
    ]);
  });
});
