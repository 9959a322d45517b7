import type { ComponentChild, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../api/problem.js';
import { Trouble } from './states.js';

/** A part of a screen whose code is loaded when it is first drawn, with `meanwhile` in its place until then. */
export function later<P extends object>(
  load: () => Promise<{ default: FunctionComponent<P> }>,
  meanwhile: () => ComponentChild = () => null,
): FunctionComponent<P> {
  let Part: FunctionComponent<P> | null = null;
  return function Later(props) {
    const [, draw] = useState({});
    const [isLost, setLost] = useState(false);
    const ask = () => {
      setLost(false);
      load().then(
        ({ default: loaded }) => {
          Part = loaded;
          draw({});
        },
        () => setLost(true),
      );
    };
    useEffect(() => {
      if (Part === null) ask();
    }, []);
    if (Part !== null) return <Part {...props} />;
    return isLost ? <Trouble problem={Problem.offline()} onAgain={ask} /> : <>{meanwhile()}</>;
  };
}
