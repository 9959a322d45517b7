import { useEffect, useRef, useState } from 'preact/hooks';
import { ROOT } from '../../about.js';
import type { Shown } from './file.js';
import { words as t } from './words.js';

/** What the element measured on the screen. */
export interface Check {
  readonly check: string;
  readonly passed: boolean;
  readonly measured: string;
}
/** What the frame says; libs/elements/preview answers so. */
type Said =
  | { readonly assent: 'preview'; readonly state: 'ready' }
  | { readonly assent: 'preview'; readonly state: 'shown'; readonly checks: readonly Check[] }
  | { readonly assent: 'preview'; readonly state: 'pressed'; readonly action: string | null };

export interface Look {
  readonly banner: Shown['banner'];
  readonly layer: 1 | 2;
  readonly scheme: 'light' | 'dark';
}

/**
 * The published element in a sandboxed frame of an opaque origin: it draws what it is sent, reaches neither session nor page,
 * and records nothing.
 */
export function PreviewFrame(props: {
  readonly look: Look;
  readonly width: 'phone' | 'wide';
  readonly onShown: (checks: readonly Check[]) => void;
  readonly onPressed: (action: string | null) => void;
}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [isReady, setReady] = useState(false);
  const heard = useRef(props);
  heard.current = props;
  useEffect(() => {
    const listen = ({ source, data }: MessageEvent<Said>) => {
      // The origin of the frame is opaque: its window is what tells it from others.
      if (source !== frame.current?.contentWindow || data.assent !== 'preview') return;
      if (data.state === 'ready') setReady(true);
      if (data.state === 'pressed') heard.current.onPressed(data.action);
      if (data.state !== 'shown') return;
      frame.current.inert = false;
      heard.current.onShown(data.checks);
    };
    addEventListener('message', listen);
    return () => removeEventListener('message', listen);
  }, []);
  useEffect(() => {
    if (!isReady || !frame.current) return;
    // A dialog takes the focus when it opens. The operator who types in the form keeps it.
    frame.current.inert = true;
    frame.current.contentWindow?.postMessage(props.look, '*');
  }, [isReady, props.look, props.width]);
  return (
    <iframe
      ref={frame}
      class={`preview ${props.width}`}
      title={t('preview')}
      src={`${ROOT}/preview`}
      sandbox="allow-scripts"
    />
  );
}
