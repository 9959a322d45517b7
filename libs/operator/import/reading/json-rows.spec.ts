import { expect, it } from '@jest/globals';
import { ROW_LENGTH_MAX } from './file-rows.js';
import { JsonRows } from './json-rows.js';

it('reads one object in each line, however the text is cut; another line costs itself', () => {
  const text = '{"a":1}\r\n\n[1]\n{"a":\n{"b":"x\\ny"}';
  for (const size of [1, 3, 100]) {
    const reader = new JsonRows();
    const rows = [];
    for (let at = 0; at < text.length; at += size) rows.push(...reader.rows(text.slice(at, at + size)));
    rows.push(...reader.rest());
    expect(rows).toEqual([
      { line: 1, raw: '{"a":1}', content: { a: 1 } },
      { line: 3, raw: '[1]', content: null, fault: expect.stringContaining('no object') as unknown },
      { line: 4, raw: '{"a":', content: null, fault: expect.stringContaining('no JSON') as unknown },
      { line: 5, raw: '{"b":"x\\ny"}', content: { b: 'x\ny' } },
    ]);
  }
});

it('holds no more of a line than a row may have', () => {
  const reader = new JsonRows();
  for (let i = 0; i < 20; i++) expect(reader.rows('x'.repeat(ROW_LENGTH_MAX / 4))).toEqual([]);
  const [long, next] = reader.rows('\n{}\n');
  expect([long!.raw.length, long!.fault]).toEqual([ROW_LENGTH_MAX, expect.stringContaining('is longer than')]);
  expect(next).toMatchObject({ line: 2, content: {} });
});
