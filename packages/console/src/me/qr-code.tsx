import { qrCells } from './qr.ts';

/** QR readers need a margin of four cells, dark on light in every theme. */
const margin = 4;

export function QrCode({ text, label }: { readonly text: string; readonly label: string }) {
  const cells = qrCells(text);
  if (!cells) return null;
  const size = cells.length + 2 * margin;
  const path = cells.flatMap((row, y) =>
    row.flatMap((isDark, x) => (isDark ? `M${x + margin} ${y + margin}h1v1h-1z` : [])),
  );
  return (
    <svg class="qr" role="img" aria-label={label} viewBox={`0 0 ${size} ${size}`} shape-rendering="crispEdges">
      <path d={path.join('')} />
    </svg>
  );
}
