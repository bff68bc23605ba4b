"""DynamoDB storage of validation runs, records and tallies."""
