"""The benchmark lab: run methods on instances, then make tables, figures and a report."""
