import { describe, expect, it } from '@jest/globals';
import { exportFormat } from './export-format.js';
import { WrongUsage } from '../failure.js';

describe('the format of an export', () => {
  const tables = ['csv', 'parquet'] as const;

  it.each([
    ['the one that is named', { format: 'parquet' }, 'parquet'],
    ['the first where nothing says another', {}, 'csv'],
    ['that of the ending', { out: '/tmp/decisions.parquet' }, 'parquet'],
    ['that of the ending in capitals', { out: 'C.PARQUET' }, 'parquet'],
    ['that of the last ending', { out: 'a.parquet.csv' }, 'csv'],
    ['the first where the ending says nothing', { out: 'november.2026' }, 'csv'],
    ['the first where there is no ending', { out: '.parquet' }, 'csv'],
    ['the one that is named, where the ending says nothing', { format: 'parquet', out: 'decisions.dat' }, 'parquet'],
    ['the one that is named, where the ending says the same', { format: 'csv', out: 'decisions.csv' }, 'csv'],
  ])('is %s', (_, options, format) => expect(exportFormat(tables, options)).toBe(format));

  it('is JSON Lines by either of its endings', () => {
    for (const out of ['log.jsonl', 'log.ndjson']) expect(exportFormat(['jsonl', 'csv'], { out })).toBe('jsonl');
  });

  it.each([
    [{ format: 'csv', out: 'decisions.parquet' }, '--out ends in .parquet, and --format is csv'],
    [{ out: 'decisions.jsonl' }, '--out ends in .jsonl, and this export writes csv or parquet'],
    [{ format: 'csv', out: 'decisions.jsonl' }, '--out ends in .jsonl, and this export writes csv or parquet'],
  ])('is refused where the file would mislead: %j', (options, message) => {
    const read = (): string => exportFormat(tables, options);
    expect(read).toThrow(WrongUsage);
    expect(read).toThrow(message);
  });
});
