import { BarController, BarElement, CategoryScale, Chart, LinearScale, Tooltip } from "chart.js";

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip);

/** Creates an empty chart of completed and failed jobs in the page's current colours. */
export function drawBars(canvas: HTMLCanvasElement): Chart<"bar"> {
  const tokens = getComputedStyle(document.documentElement);
  const token = (name: string) => tokens.getPropertyValue(name).trim();
  const font = { family: token("--font"), size: 12 };
  const bars = { borderRadius: 3, maxBarThickness: 44, borderSkipped: "start" } as const;
  return new Chart(canvas, {
    type: "bar",
    data: {
      labels: [],
      datasets: [
        { label: "Completed", data: [], backgroundColor: token("--bar-good"), ...bars },
        { label: "Failed", data: [], backgroundColor: token("--bar-bad"), ...bars },
      ],
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      scales: {
        x: {
          stacked: true,
          grid: { display: false },
          border: { color: token("--line") },
          ticks: { color: token("--muted"), font, maxRotation: 0 },
        },
        y: {
          stacked: true,
          beginAtZero: true,
          suggestedMax: 4,
          grid: { color: token("--line") },
          border: { display: false },
          ticks: { color: token("--muted"), font, precision: 0, maxTicksLimit: 5 },
        },
      },
      plugins: {
        tooltip: {
          backgroundColor: token("--ink"),
          titleColor: token("--surface"),
          bodyColor: token("--surface"),
          titleFont: { ...font, weight: 600 },
          bodyFont: font,
          padding: 10,
          boxPadding: 4,
        },
      },
    },
  });
}
