"""The benchmark lab: methods on instances, records of runs, tables, figures and a report."""
