import { costsTable, type Measured } from './costs.mjs';

const rows = (results: Record<string, Measured>): string[][] => costsTable(new Map(Object.entries(results))).rows;

describe('the table of what one of each costs', () => {
  it('adds up the processor time of one, and holds it against the bare engine', () => {
    const [row] = rows({
      'record-new': { cpuUs: 900, postgresCpuUs: 300 },
      append: { cpuUs: 60, postgresCpuUs: 40 },
      'growth-subject': { value: 5000 },
      'growth-key': { value: 400 },
    });
    expect(row).toEqual(['recorded consent, new person', '900', '300', '', '1,200', '100', '12 ×', '5,400']);
  });

  it('shares a batch among its records', () => {
    const [row] = rows({ 'batch-new': { cpuUs: 40_000, postgresCpuUs: 10_000 }, 'append-batch': { cpuUs: 50 } });
    expect(row).toEqual(['record in a batch of 100 new people', '400', '100', '', '500', '50', '10 ×', '']);
  });

  it('counts the event store, where its process is known', () => {
    const [row] = rows({ 'esdb-record': { cpuUs: 1000, postgresCpuUs: 300, nodeCpuUs: 200, bareUs: 500 } });
    expect(row).toEqual([
      'recorded consent, four roles on EventStoreDB',
      '1,000',
      '300',
      '200',
      '1,500',
      '500',
      '3 ×',
      '',
    ]);
  });

  it('has no row for what was not measured', () => {
    expect(rows({ raw: { cpuUs: 20 } })).toEqual([]);
  });
});
