"""The generator of the embedded mini benchmark.

The benchmark is *synthetic, for trying things out, not comparable with SABER-Math*. ``family.py``
says what a family of problems is, ``families`` holds the mathematics, ``stories.py`` the surfaces,
``techniques.py`` the main ideas, ``grades.py`` the relevance, ``pools.py`` who meets whom.
"""
