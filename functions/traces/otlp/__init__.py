"""Export of traces as OpenTelemetry spans over OTLP/HTTP.

    export = otlp_export(OtlpSettings.of(environment), secrets=…, egress=…, resource=…)
    if export is not None:
        export(record, deadline=…)

The OpenTelemetry SDK is imported at the first export, so that a stage without a collector starts without it.
"""
