/** Strokes of 24 by 24, as the design draws them. */
const PATHS = {
  alert: 'M12 4 21 19.500H3zM12 10v4M12 16.800v.1',
  arrow: 'M5 12h14M13 6l6 6-6 6',
  banner: 'M5.500 5h13a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2zM3.500 14h17',
  book: 'M5 4.500h11a3 3 0 0 1 3 3v12H8a3 3 0 0 1-3-3zM5 16.500a3 3 0 0 1 3-3h11',
  chart: 'M4 19h16M7 16v-4M12 16V7M17 16v-6',
  check: 'm5 12.500 4.500 4.500L19 7.500',
  chevron: 'm6 9 6 6 6-6',
  clock: 'M12 4a8 8 0 1 1 0 16 8 8 0 0 1 0-16zM12 7.500V12l3 2',
  copy: 'M9 9h10v10H9zM5 15V5h10',
  cross: 'M6 6l12 12M18 6 6 18',
  dash: 'M6 12h12',
  download: 'M12 4v11M7 11l5 5 5-5M5 20h14',
  eye: 'M2.500 12S6 5.500 12 5.500 21.500 12 21.500 12 18 18.500 12 18.500 2.500 12 2.500 12zM12 9.200a2.800 2.800 0 1 1 0 5.600 2.800 2.800 0 0 1 0-5.600z',
  fork: 'M7 4v5c0 3 5 3 5 6v5M17 4v5c0 3-5 3-5 6',
  gear: 'M12 9a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM12 3.500v3M12 17.500v3M3.500 12h3M17.500 12h3M6 6l2 2M16 16l2 2M18 6l-2 2M8 16l-2 2',
  globe:
    'M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17zM3.500 12h17M12 3.500c3 3 3 14 0 17M12 3.500c-3 3-3 14 0 17',
  hook: 'M9 7a3 3 0 1 1 4.500 2.600L16 14M15 17a3 3 0 1 0 3-3M9.500 17H15M11 10.500 8 15a3 3 0 1 0 1.500 2',
  house: 'M3 11.500 12 4l9 7.500M5.500 10v9.500h13V10',
  inbox: 'M4 13.500 6.500 5h11L20 13.500V19H4zM4 13.500h5l1 2.500h4l1-2.500h5',
  info: 'M12 3.500a8.500 8.500 0 1 1 0 17 8.500 8.500 0 0 1 0-17zM12 11v5M12 8v.1',
  key: 'M8 11a4 4 0 1 1 0 8 4 4 0 0 1 0-8zM11 12l8-8M16 7l2.500 2.500',
  leaf: 'M5 19c0-9 5-14 14-14 0 9-5 14-14 14zm0 0 7-7',
  lock: 'M6 11h12v9H6zM8.500 11V8a3.500 3.500 0 0 1 7 0v3',
  mail: 'M5.500 5.500h13a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-13a2 2 0 0 1-2-2v-9a2 2 0 0 1 2-2zM4 7l8 6 8-6',
  menu: 'M4 7h16M4 12h16M4 17h16',
  people:
    'M9 6a3 3 0 1 1 0 6 3 3 0 0 1 0-6zM3.500 19c.6-3 2.700-4.500 5.500-4.500s4.900 1.500 5.500 4.500M15.500 6.500a3 3 0 0 1 0 5.500M17.500 14.800c1.700.7 2.700 2.100 3 4.200',
  person:
    'M12 4.500a3.500 3.500 0 1 1 0 7 3.500 3.500 0 0 1 0-7zM5 20c.8-3.600 3.400-5.500 7-5.500s6.200 1.900 7 5.500',
  phone:
    'M8 3.500h8a1.500 1.500 0 0 1 1.500 1.500v14a1.500 1.500 0 0 1-1.500 1.500H8A1.500 1.500 0 0 1 6.500 19V5A1.500 1.500 0 0 1 8 3.500zM11 17.500h2',
  plus: 'M12 5v14M5 12h14',
  pulse: 'M3 12h4l2.500-6 4.500 12 2.500-6H21',
  search: 'M10.500 4.500a6 6 0 1 1 0 12 6 6 0 0 1 0-12zM15 15l5 5',
  shield: 'M12 3.500 19 6v5.500c0 4.300-2.900 7.300-7 9-4.100-1.700-7-4.700-7-9V6zM9 11.800l2.200 2.200L15.500 9.700',
  text: 'M5 6h14M5 11h14M5 16h9',
} as const;

export type IconName = keyof typeof PATHS;

/** A picture beside a word. It says nothing by itself, and screen readers pass over it. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg
      class="icon"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      stroke-width="1.8"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
