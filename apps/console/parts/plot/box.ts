import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';

/** Room for a plot, in pixels of the page. A plot is drawn for it, so that its text is as large as other text. */
export interface Box {
  readonly width: number;
  /** Size of small text. */
  readonly em: number;
  /** Read from right to left: time runs that way, too. */
  readonly isRtl: boolean;
}

/** Share of the text's size that a letter is wide, rather too much than too little. */
const LETTER = 0.58;
export const textWidth = (text: string, { em }: Box): number => text.length * em * LETTER;

/** The text, cut to a width. */
export function cutTo(text: string, width: number, box: Box): string {
  if (textWidth(text, box) <= width) return text;
  return `${text.slice(0, Math.max(1, Math.floor(width / (box.em * LETTER)) - 1)).trimEnd()}…`;
}

/** Measures an element, and again when its width changes. Null: not yet. */
export function useBox(): readonly [RefObject<HTMLDivElement | null>, Box | null] {
  const element = useRef<HTMLDivElement>(null);
  const [box, setBox] = useState<Box | null>(null);
  useLayoutEffect(() => {
    const measure = () => {
      const { direction } = getComputedStyle(element.current!);
      const em = 0.75 * parseFloat(getComputedStyle(document.documentElement).fontSize);
      const width = Math.floor(element.current!.clientWidth);
      if (width > 0) setBox({ width, em, isRtl: direction === 'rtl' });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, []);
  return [element, box];
}
