/** Counters in the Prometheus text format, for the owner of the machine; never sent anywhere. */
export interface Metrics {
  countRequest(route: string, status: number, seconds: number): void
  text(gauges: Readonly<Record<string, number>>): string
}

export function openMetrics(): Metrics {
  const requests = new Map<string, { count: number; seconds: number }>()
  return {
    countRequest(route, status, seconds) {
      const labels = `route="${route}",status="${status}"`
      const known = requests.get(labels) ?? { count: 0, seconds: 0 }
      requests.set(labels, { count: known.count + 1, seconds: known.seconds + seconds })
    },
    text(gauges) {
      const lines = [
        '# TYPE retake_requests_total counter',
        ...[...requests].map(([labels, { count }]) => `retake_requests_total{${labels}} ${count}`),
        '# TYPE retake_request_seconds_total counter',
        ...[...requests].map(
          ([labels, { seconds }]) =>
            `retake_request_seconds_total{${labels}} ${seconds.toFixed(6)}`,
        ),
        ...Object.entries(gauges).flatMap(([name, value]) => [
          `# TYPE retake_${name} gauge`,
          `retake_${name} ${value}`,
        ]),
      ]
      return `${lines.join('\n')}\n`
    },
  }
}
