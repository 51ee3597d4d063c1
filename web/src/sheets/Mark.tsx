/** The twin's own sign: a grid with one cell filled. */
export function Mark({ size }: { size: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden>
      <rect x="3" y="3" width="26" height="26" rx="6" fill="var(--mantine-color-accent-6)" />
      <path d="M9 13h14M9 19h14M16 9v14" stroke="#fff" strokeWidth="1.8" strokeLinecap="round" opacity="0.9" />
      <rect x="16.9" y="13.9" width="6.6" height="4.2" fill="#fff" opacity="0.92" />
    </svg>
  );
}
