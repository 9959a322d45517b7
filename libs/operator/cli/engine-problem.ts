import { CommandFailed, failed, type Problem } from './failure.js';

/** Errors of the engines, recognised by name: importing their classes would cost half a second, and most commands do without. */
export function asProblem(error: Error): CommandFailed | null {
  if (error.name === 'Refused') return new CommandFailed((error as Error & { refusal: Problem }).refusal);
  if (error.name === 'StartRefused') return new CommandFailed(ofStart(error.message));
  if (error.name === 'DependencyUnavailable')
    return failed(
      'dependency_unavailable',
      `The ${(error as Error & { dependency: string }).dependency} does not answer.`,
      'Check with assent doctor.',
    );
  if (error.name === 'LogUnavailable')
    return failed(
      'dependency_unavailable',
      `${error.message[0]!.toUpperCase()}${error.message.slice(1)}.`,
      'Check with assent doctor.',
    );
  if (error.name === 'IncompleteStream')
    return failed(
      'log_incomplete',
      `The event log is not whole: ${error.message}.`,
      'Restore it from a copy; assent doctor names the streams that the log does not keep whole.',
    );
  return null;
}

/** `What is wrong; what to do.`, or several settings, one a line: `- NAME what is wrong with it.` */
function ofStart(text: string): Problem {
  const [first = '', ...lines] = text.split('\n');
  const issues = lines
    .map((line) => /^- (\S+) (.*)$/.exec(line))
    .flatMap((found) => (found ? [{ path: found[1]!, message: found[2]! }] : []));
  if (issues.length > 0)
    return { code: 'not_possible', message: first.replace(/:$/, '.'), hint: 'Correct these settings.', issues };
  const at = first.indexOf('; ');
  if (at < 0)
    return { code: 'not_possible', message: first, hint: 'See the settings in the documentation.', issues: [] };
  return {
    code: 'not_possible',
    message: `${first.slice(0, at)}.`,
    hint: first[at + 2]!.toUpperCase() + first.slice(at + 3),
    issues: [],
  };
}
