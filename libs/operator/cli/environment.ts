import { ENVIRONMENTS, type Environment } from '../../kernel/index.js';
import { WrongUsage } from './failure.js';

export function environmentOf(text: string): Environment {
  const env = ENVIRONMENTS.find((one) => one === text);
  if (!env) throw new WrongUsage(`An environment is one of ${ENVIRONMENTS.join(', ')}.`);
  return env;
}
