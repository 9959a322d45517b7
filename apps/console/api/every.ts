import { useEffect, useRef } from 'preact/hooks';

/** Does something again and again while the page is visible, and at once when it becomes visible again. */
export function useEvery(ms: number, isOn: boolean, act: () => unknown): void {
  const newest = useRef(act);
  newest.current = act;
  useEffect(() => {
    if (!isOn) return;
    const look = () => {
      if (document.visibilityState === 'visible') newest.current();
    };
    const timer = setInterval(look, ms);
    document.addEventListener('visibilitychange', look);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', look);
    };
  }, [ms, isOn]);
}
