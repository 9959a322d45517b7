import type { Issue } from '../../kernel/index.js';
import { fieldsOf, type Field } from './declared.js';
import { compile } from './fields.js';
import type { Contract } from './operation.js';
import { invalid } from '../errors/refused.js';

/**
 * Reads a query string against a declared class: text becomes numbers and flags where they are declared, a list is a
 * parameter given several times. Refuses with `validation_failed`, unknown parameters and repeated ones included.
 */
export function readQuery<T extends object>(contract: abstract new (...args: never[]) => T, url: string): T {
  const mark = url.indexOf('?');
  const query = Object.create(null) as Record<string, unknown>;
  const repeated = mark < 0 ? [] : readParameters(contract as Contract, url.slice(mark + 1), query);
  const issues = [...repeated, ...compile(contract as Contract)(query)];
  if (issues.length > 0) throw invalid(issues);
  return query as T;
}

/** Puts the parameters into `query`; answers an issue for each that was sent too often. */
function readParameters(contract: Contract, text: string, query: Record<string, unknown>): Issue[] {
  const sent = new URLSearchParams(text);
  const fields = fieldsOf(contract);
  const repeated: Issue[] = [];
  for (const name of new Set(sent.keys())) {
    const values = sent.getAll(name);
    const field = fields.get(name);
    if (field?.kind === 'list') query[name] = values;
    else if (values.length > 1 && field) repeated.push({ path: name, message: 'must be given once' });
    else query[name] = field ? read(field, values[0]!) : values[0]!;
  }
  return repeated;
}

function read(field: Field, text: string): unknown {
  if (field.kind === 'whole' || field.kind === 'numeric')
    return /^-?\d{1,20}(\.\d{1,20})?$/.test(text) ? Number(text) : text;
  if (field.kind === 'flag') return text === 'true' || text === '' ? true : text === 'false' ? false : text;
  return text;
}
