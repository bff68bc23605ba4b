"""The adapters to AWS: the only modules that import boto3 or botocore."""
