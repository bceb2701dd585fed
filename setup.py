"""What pyproject.toml cannot say: schemas/, at the top of the repository, is the package compiler.schemas in the wheel."""

from setuptools import find_namespace_packages, setup

setup(
    packages=[*find_namespace_packages(include=["compiler*"]), "compiler.schemas"],
    package_dir={"compiler.schemas": "schemas"},
    # build/ holds the modules that vmodc builds; setuptools' own scratch files stay out of sight there.
    options={"build": {"build_base": "build/.python"}},
)
