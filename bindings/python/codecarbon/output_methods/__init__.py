"""Where figures go: the outputs, each in a module of its own."""
