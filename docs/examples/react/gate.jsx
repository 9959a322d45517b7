import { useEffect, useRef, useState } from 'react';

/** Its children are in the page only while the person allows the purpose. A placeholder stands there until then. */
export function Gate({ purpose, children }) {
  const gate = useRef(null);
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const element = gate.current;
    const look = () => setOpen(element.allowed === true);
    look();
    element.addEventListener('assent-open', look);
    element.addEventListener('assent-shut', look);
    return () => {
      element.removeEventListener('assent-open', look);
      element.removeEventListener('assent-shut', look);
    };
  }, []);
  return (
    <assent-gate ref={gate} purpose={purpose}>
      {isOpen && children}
    </assent-gate>
  );
}
