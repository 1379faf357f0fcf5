module collector

go 1.24.0

require (
	go.opentelemetry.io/collector/component v1.45.0
	go.opentelemetry.io/collector/confmap v1.45.0
	go.opentelemetry.io/collector/confmap/provider/fileprovider v1.45.0
	go.opentelemetry.io/collector/exporter v1.45.0
	go.opentelemetry.io/collector/exporter/debugexporter v0.139.0
	go.opentelemetry.io/collector/exporter/otlpexporter v0.139.0
	go.opentelemetry.io/collector/otelcol v0.139.0
	go.opentelemetry.io/collector/processor v1.45.0
	go.opentelemetry.io/collector/processor/batchprocessor v0.139.0
	go.opentelemetry.io/collector/processor/memorylimiterprocessor v0.139.0
	go.opentelemetry.io/collector/receiver v1.45.0
	go.opentelemetry.io/collector/receiver/otlpreceiver v0.139.0
)
